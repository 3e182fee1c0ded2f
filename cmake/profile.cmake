# make pgo: "generate" builds a program that writes down which ways it takes, "use" one that is laid
# out for them. Only for the layers a search runs through: the others would be compiled twice for
# nothing. Code that the profile never reached keeps its ordinary optimisation.
if(ALEPH_PROFILE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    message(FATAL_ERROR "Profiles are used with g++ only: make pgo CXX=g++")
  endif()
  set(profile -fprofile-${ALEPH_PROFILE}=${PROJECT_BINARY_DIR}/profile)
  if(ALEPH_PROFILE STREQUAL "use")
    list(APPEND profile -fprofile-partial-training -Wno-missing-profile)
  endif()
  foreach(layer chess nnue eval search)
    target_compile_options(aleph_${layer} PRIVATE ${profile})
  endforeach()
  target_link_options(aleph_flags INTERFACE ${profile})
endif()
