import CallbackMatrix

MatrixProgram.run()
