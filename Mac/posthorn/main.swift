print(
    """
    posthorn: the emulated iPhone and the command line need Linux, where their frameworks do not shadow Apple's own.
    The Containerfile builds and runs them on Debian:
        docker build -t posthorn -f Containerfile . && docker run --rm -it posthorn demo
    """
)
