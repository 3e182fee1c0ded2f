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
