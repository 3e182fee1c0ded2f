# Kernel files are compiled for processors that may not be this one; the program picks at run time
# (the files select.cpp beside them). Everything else keeps the flags of cmake/flags.cmake.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(simd ${PROJECT_SOURCE_DIR}/src/nnue/simd)
  set(avx2 -mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt)
  set(avx512 ${avx2} -mavx512f -mavx512bw -mavx512dq -mavx512vl)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND avx512 -Wno-uninitialized -Wno-maybe-uninitialized)  # its own headers: GCC bug 105593
  endif()
  set_source_files_properties(${simd}/avx2.cpp PROPERTIES COMPILE_OPTIONS "${avx2}")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/nnue/quantile/avx2_quantile.cpp PROPERTIES
    COMPILE_OPTIONS "${avx2}")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/nets/kernels/avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${avx2};-mfma")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/nets/kernels/avx512.cpp PROPERTIES
    COMPILE_OPTIONS "${avx512};-mavx512vnni;-mfma")
  set_source_files_properties(${simd}/avx2_vnni.cpp PROPERTIES COMPILE_OPTIONS "${avx2};-mavxvnni")
  set_source_files_properties(${simd}/avx512.cpp PROPERTIES COMPILE_OPTIONS "${avx512}")
  set_source_files_properties(${simd}/avx512_vnni.cpp
    ${PROJECT_SOURCE_DIR}/src/nnue/quantile/avx512_quantile.cpp PROPERTIES
    COMPILE_OPTIONS "${avx512};-mavx512vnni")
endif()
# The trainer's kernels lean on the compiler's vectors, in every build. Without AVX it warns that such
# vectors are passed in another way; they never leave their file.
set(training_kernels ${PROJECT_SOURCE_DIR}/src/train/nnue/kernels)
set(training_flags -O3 -fno-math-errno -fno-trapping-math -ffp-contract=fast -Wno-psabi)
set_source_files_properties(${training_kernels}/portable.cpp PROPERTIES
  COMPILE_OPTIONS "${training_flags}")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set_source_files_properties(${training_kernels}/avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${training_flags};-mavx2;-mfma")
endif()
