# make pgo: "generate" builds a program that writes down which ways it takes, "use" one that is laid
# out for them. Only for the layers a search runs through: the others would be compiled twice for
# nothing. Code that the profile never reached keeps its ordinary optimisation.
if(ALEPH_PROFILE)
  set(folder ${PROJECT_BINARY_DIR}/profile)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(profile -fprofile-${ALEPH_PROFILE}=${folder})
    if(ALEPH_PROFILE STREQUAL "use")
      list(APPEND profile -fprofile-partial-training -Wno-missing-profile)
    endif()
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # What the runs of the program wrote must be put together first, by a tool of the same version.
    set(profile -fprofile-${ALEPH_PROFILE}=${folder})
    if(ALEPH_PROFILE STREQUAL "use")
      string(REGEX MATCH "^[0-9]+" version ${CMAKE_CXX_COMPILER_VERSION})
      find_program(ALEPH_PROFDATA NAMES llvm-profdata-${version} llvm-profdata REQUIRED)
      file(GLOB runs ${folder}/*.profraw)
      execute_process(COMMAND ${ALEPH_PROFDATA} merge -output=${folder}/all.profdata ${runs}
                      COMMAND_ERROR_IS_FATAL ANY)
      set(profile -fprofile-use=${folder}/all.profdata -Wno-profile-instr-unprofiled
                  -Wno-profile-instr-out-of-date -Wno-backend-plugin)
    endif()
  else()
    message(FATAL_ERROR "Profiles are used with g++ and clang++ only: make pgo CXX=g++")
  endif()
  foreach(layer chess nnue eval search)
    target_compile_options(aleph_${layer} PRIVATE ${profile})
  endforeach()
  target_link_options(aleph_flags INTERFACE ${profile})
endif()
