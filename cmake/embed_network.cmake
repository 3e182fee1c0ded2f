# Puts a network into aleph_nnue, where nnue/embedded.h finds it: ALEPH_EVALFILE, or else the one in
# nets/, which the engine uses when it finds no other. An assembler file includes it byte for byte,
# which takes no time and survives link-time optimisation.
if(ALEPH_EVALFILE STREQUAL "none")
  return()
endif()
set(embedded_file "${ALEPH_EVALFILE}")
set(embedded_asked_for true)
if(NOT embedded_file)
  file(GLOB embedded_file CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/nets/nn-*.nnue)
  list(LENGTH embedded_file count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "nets/ should hold one network nn-*.nnue, not ${count}")
  endif()
  set(embedded_asked_for false)
endif()
if(NOT EXISTS "${embedded_file}")
  message(FATAL_ERROR "EVALFILE names a file that does not exist: ${embedded_file}")
endif()
file(READ "${embedded_file}" version LIMIT 4 HEX)
if(NOT version MATCHES "^(202ff37a|fa8a446a)$")
  message(FATAL_ERROR "EVALFILE is not a Stockfish network: ${embedded_file}")
endif()
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS "${embedded_file}")

enable_language(ASM)
file(SHA256 "${embedded_file}" hash)
string(SUBSTRING ${hash} 0 12 hash)
string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" escaped_path "${embedded_file}")
set(embedded_source ${PROJECT_BINARY_DIR}/generated/embedded_network.S)
file(CONFIGURE OUTPUT ${embedded_source} @ONLY CONTENT [[
/* Made by cmake/embed_network.cmake: the bytes of @hash@. */
.section .rodata
.balign 64
.globl aleph_embedded_network_begin
.globl aleph_embedded_network_end
aleph_embedded_network_begin:
.incbin "@escaped_path@"
aleph_embedded_network_end:
.section .note.GNU-stack,"",%progbits
]])
set_source_files_properties(${embedded_source} PROPERTIES OBJECT_DEPENDS "${embedded_file}")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/nnue/embedded.cpp PROPERTIES
  COMPILE_DEFINITIONS
  "ALEPH_EMBEDDED_NAME=\"nn-${hash}.nnue\";ALEPH_EMBEDDED_ASKED_FOR=${embedded_asked_for}")
# A library of its own, since the warnings of aleph_flags are for C++.
add_library(aleph_embedded_network OBJECT ${embedded_source})
target_sources(aleph_nnue PRIVATE $<TARGET_OBJECTS:aleph_embedded_network>)
if(embedded_asked_for)
  message(NOTICE "Embedding nn-${hash}.nnue from ${embedded_file}")
endif()
