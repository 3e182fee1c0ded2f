# Puts the network ALEPH_EVALFILE into aleph_nnue, where nnue/embedded.h finds it. An assembler file
# includes it byte for byte, which takes no time and survives link-time optimisation.
if(NOT ALEPH_EVALFILE)
  return()
endif()
if(NOT EXISTS "${ALEPH_EVALFILE}")
  message(FATAL_ERROR "EVALFILE names a file that does not exist: ${ALEPH_EVALFILE}")
endif()
file(READ "${ALEPH_EVALFILE}" version LIMIT 4 HEX)
if(NOT version MATCHES "^(202ff37a|fa8a446a)$")
  message(FATAL_ERROR "EVALFILE is not a Stockfish network: ${ALEPH_EVALFILE}")
endif()
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS "${ALEPH_EVALFILE}")

enable_language(ASM)
file(SHA256 "${ALEPH_EVALFILE}" hash)
string(SUBSTRING ${hash} 0 12 hash)
string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" escaped_path "${ALEPH_EVALFILE}")
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
set_source_files_properties(${embedded_source} PROPERTIES OBJECT_DEPENDS "${ALEPH_EVALFILE}")
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/nnue/embedded.cpp PROPERTIES
  COMPILE_DEFINITIONS "ALEPH_EMBEDDED_NAME=\"nn-${hash}.nnue\"")
# A library of its own, since the warnings of aleph_flags are for C++.
add_library(aleph_embedded_network OBJECT ${embedded_source})
target_sources(aleph_nnue PRIVATE $<TARGET_OBJECTS:aleph_embedded_network>)
message(NOTICE "Embedding nn-${hash}.nnue from ${ALEPH_EVALFILE}")
