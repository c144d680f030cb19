# The bot without the sandbox. The steps are those of the Makefile; the versions are those of requirements/image.txt.
# To pin the base image too, build with the digest that your registry shows for it:
#   docker pull python:3.11-slim-bookworm
#   docker build --build-arg PYTHON_IMAGE="$(docker inspect --format '{{index .RepoDigests 0}}' python:3.11-slim-bookworm)" .
ARG PYTHON_IMAGE=python:3.11-slim-bookworm
FROM ${PYTHON_IMAGE} AS build
RUN python -m venv /opt/springboard
WORKDIR /src
COPY requirements/image.txt requirements/image.txt
RUN /opt/springboard/bin/python -m pip install --no-cache-dir --disable-pip-version-check --no-compile --require-hashes -r requirements/image.txt
COPY pyproject.toml README.md LICENSE ./
COPY engines engines
COPY opponents opponents
COPY renderers renderers
COPY storage storage
COPY bot bot
RUN /opt/springboard/bin/python -m pip install --no-cache-dir --disable-pip-version-check --no-compile --no-deps --no-build-isolation .
# Only what the bot reads goes into the image: no tools to build with, no tests of packages, no languages that it does not speak.
# Modules are compiled, since a read-only file system keeps none that are compiled later. They do not depend on times of files:
# copying may round those, and modules that seem to be older than their source are compiled again at every start.
COPY requirements/trim.py requirements/trim.py
RUN /opt/springboard/bin/python -P requirements/trim.py /opt/springboard/lib/python3*/site-packages \
    && /opt/springboard/bin/python -m pip uninstall --yes setuptools pip \
    && python -m compileall -q -f --invalidation-mode unchecked-hash /opt/springboard/lib

FROM ${PYTHON_IMAGE}
# With FriBiDi, Pillow can write names in scripts whose letters change with their neighbours. The fonts come with the program.
# The slim image of Python brings pip, which nothing here needs.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libfribidi0 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
    && if python -c 'import pip' 2>/dev/null; then python -m pip uninstall --yes --root-user-action=ignore wheel setuptools pip; fi
RUN groupadd --gid 10001 springboard \
    && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin springboard \
    && install --directory --owner=springboard --group=springboard /data
COPY --from=build /opt/springboard /opt/springboard
# Monitors are answered at port 9090, which is not published unless you do. Two arenas: glibc would otherwise give each thread one of its own, and hardly any memory back.
ENV PATH=/opt/springboard/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MALLOC_ARENA_MAX=2 \
    SPRINGBOARD_DATABASE=/data/springboard.sqlite3 \
    SPRINGBOARD_HTTP=0.0.0.0:9090
# The slim image of Python has its own modules uncompiled: this compiles those that the bot imports.
RUN ["springboard", "--version"]
WORKDIR /data
VOLUME /data
EXPOSE 9090
USER 10001:10001
STOPSIGNAL SIGTERM
# Healthy is a bot that can be used (/health/ready): it says itself what is missing.
HEALTHCHECK --interval=60s --timeout=15s --start-period=180s --retries=3 CMD ["python", "-m", "bot.admin.health"]
ENTRYPOINT ["springboard"]
CMD ["run"]
