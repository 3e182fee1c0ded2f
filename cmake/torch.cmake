# aleph_torch: libtorch, for src/train only. Torch's own CMake files warn about CUDA and the like
# and set flags for everybody; what is needed of them is the libraries and the header folders.
set(torch_message_level ${CMAKE_MESSAGE_LOG_LEVEL})
set(CMAKE_MESSAGE_LOG_LEVEL ERROR)
find_package(Torch QUIET)
set(CMAKE_MESSAGE_LOG_LEVEL ${torch_message_level})
if(NOT Torch_FOUND)
  message(FATAL_ERROR "libtorch was not found. To install it, run: make setup-train")
endif()
add_library(aleph_torch INTERFACE)
target_link_libraries(aleph_torch INTERFACE ${TORCH_LIBRARIES})
target_include_directories(aleph_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
# Debian's libtorch has c10d with Gloo; its headers show it only to those who say so.
target_compile_definitions(aleph_torch INTERFACE USE_DISTRIBUTED USE_C10D_GLOO)
find_library(ALEPH_GLOO gloo)
mark_as_advanced(ALEPH_GLOO)
if(NOT ALEPH_GLOO)
  message(FATAL_ERROR "Gloo was not found. To install it, run: make setup-train")
endif()
target_link_libraries(aleph_torch INTERFACE ${ALEPH_GLOO})

# Loops over all weights, which are worth their vector instructions in every kind of build.
set_source_files_properties(src/train/optimizer.cpp src/train/dropout.cpp
  src/train/quantile/quantile_kernels.cpp PROPERTIES
  COMPILE_OPTIONS "-O3;-fno-math-errno;-fno-trapping-math")
