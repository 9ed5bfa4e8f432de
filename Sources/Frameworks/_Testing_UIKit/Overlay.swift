// The toolchain's cross-import overlay looks for this module in every file that imports both Testing and UIKit.
