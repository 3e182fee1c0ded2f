# The building blocks used by CMakeLists.txt: layers, programs, packages.

# find_package with a message that says what to type. aleph_require(fmt TARGET setup)
macro(aleph_require package)
  cmake_parse_arguments(require "" "TARGET" "" ${ARGN})
  find_package(${package} QUIET ${require_UNPARSED_ARGUMENTS})
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found. To install it, run: make ${require_TARGET}")
  endif()
endmacro()

# One folder of src/ as the library aleph_NAME. A folder that has no .cpp yet, or does not exist
# yet, is an INTERFACE library, so that the order of dependencies always holds.
function(aleph_layer name)
  cmake_parse_arguments(layer "" "" "USES" ${ARGN})
  list(TRANSFORM layer_USES PREPEND aleph_ OUTPUT_VARIABLE libraries)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(sources)
    add_library(aleph_${name} STATIC ${sources})
    target_link_libraries(aleph_${name} PUBLIC aleph_flags ${libraries})
    target_include_directories(aleph_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  else()
    add_library(aleph_${name} INTERFACE)
    target_link_libraries(aleph_${name} INTERFACE aleph_flags ${libraries})
    target_include_directories(aleph_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
  endif()
endfunction()

# Links a package into a layer, whichever kind of library the layer is at the moment.
function(aleph_layer_packages name)
  get_target_property(type aleph_${name} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    target_link_libraries(aleph_${name} INTERFACE ${ARGN})
  else()
    target_link_libraries(aleph_${name} PUBLIC ${ARGN})
  endif()
endfunction()

# One folder of apps/ as a program. It is built inside the build tree and then copied to its place:
# several build trees share bin/, and Ninja would take another tree's program for its own.
function(aleph_program name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/${name}/*.cpp)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE aleph_apps ${ARGN})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  if(NOT ALEPH_BIN_DIR)
    return()
  endif()
  set(destination ${ALEPH_BIN_DIR}/${name}${CMAKE_EXECUTABLE_SUFFIX})
  if(name STREQUAL "aleph" AND ALEPH_EXE)
    set(destination ${ALEPH_EXE})
  endif()
  add_custom_target(publish_${name} ALL
    COMMAND ${CMAKE_COMMAND} -DFROM=$<TARGET_FILE:${name}> -DTO=${destination}
            -P ${PROJECT_SOURCE_DIR}/cmake/publish.cmake
    DEPENDS ${name} COMMENT "${name} goes to ${destination}" VERBATIM)
endfunction()
