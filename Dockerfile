# libCHIP with everything that it needs, built and on PATH. For a GPU: docker run -it --device /dev/dri libchip
FROM debian:forky-slim

COPY scripts/packages.txt /tmp/packages.txt
RUN apt-get update \
    && sed 's/#.*//' /tmp/packages.txt | xargs apt-get install -y --no-install-recommends \
    && rm -rf /var/lib/apt/lists/* /tmp/packages.txt

COPY . /src/libchip
WORKDIR /src/libchip
RUN cmake --preset release -DCHIP_BUILD_TESTS=OFF \
    && cmake --build --preset release \
    && cmake --install build/release --prefix /usr/local \
    && ldconfig

CMD ["/bin/bash"]
