# The layers of src/, lowest first: each may use the layers it names, and theirs in turn.
# This list is the only copy of the dependency order: CMake links by it, and tools/check_layers.py
# reads it to prove that the #include lines obey it. A layer may name only layers above it.

aleph_layer(base)
aleph_layer(chess USES base)
aleph_layer(nnue USES chess)
aleph_layer(nets USES chess)
aleph_layer(eval USES nnue nets)
aleph_layer(search USES eval)
aleph_layer(human USES nets chess)
aleph_layer(engine USES search human)
aleph_layer(uci USES engine)

if(ALEPH_LAB OR ALEPH_TRAIN)
  aleph_layer(data USES chess nnue nets)
endif()
if(ALEPH_LAB)
  aleph_layer(lab USES engine data)
  aleph_layer(web USES engine lab)
endif()
if(ALEPH_TRAIN)
  aleph_layer(train USES data nnue nets)
endif()
