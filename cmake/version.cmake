# Writes OUTPUT, the answers behind base/version.h, and touches it only when they change.
# Runs at every build, since a commit does not re-run CMake.
execute_process(COMMAND git describe --always --dirty --exclude *
                WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE failed ERROR_QUIET)
if(failed OR commit STREQUAL "")
  set(commit "unknown")
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
