# DuckDB, as tools/fetch_duckdb.sh lays it down: Parquet files and SQL for the data layer.
set(duckdb_folder ${PROJECT_SOURCE_DIR}/build/packages/duckdb-1.4.4)
if(NOT EXISTS ${duckdb_folder}/complete)
  message(FATAL_ERROR "DuckDB was not found. To install it, run: make setup-lab")
endif()
add_library(aleph_duckdb SHARED IMPORTED)
set_target_properties(aleph_duckdb PROPERTIES
  IMPORTED_LOCATION ${duckdb_folder}/lib/libduckdb.so
  INTERFACE_INCLUDE_DIRECTORIES ${duckdb_folder}/include)
