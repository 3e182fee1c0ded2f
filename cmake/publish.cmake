# Copies the program FROM to TO if they differ. The rename lets a running program be replaced.
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FROM} ${TO}
                RESULT_VARIABLE differ OUTPUT_QUIET ERROR_QUIET)
if(differ)
  get_filename_component(folder ${TO} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  file(COPY_FILE ${FROM} ${TO}.new)
  file(RENAME ${TO}.new ${TO})
endif()
