# aleph_hdf5: the C library of HDF5, for the data layer. CMake finds out from the compiler wrapper
# h5cc how it was built and would hand its -D flags to everybody; what is needed is the library and
# the header folder.
aleph_require(HDF5 TARGET setup-lab COMPONENTS C)
add_library(aleph_hdf5 INTERFACE)
target_link_libraries(aleph_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
target_include_directories(aleph_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
