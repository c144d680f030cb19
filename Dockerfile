# The bot without the sandbox. The steps are those of the Makefile; the versions are those of requirements/image.txt.
FROM python:3.11-slim-bookworm AS build
RUN python -m venv /opt/springboard
WORKDIR /src
COPY requirements/image.txt requirements/image.txt
RUN /opt/springboard/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/image.txt
COPY pyproject.toml README.md LICENSE ./
COPY engines engines
COPY renderers renderers
COPY storage storage
COPY bot bot
RUN /opt/springboard/bin/python -m pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
# Names are drawn on the boards, in whatever script people write them. Any version of the fonts will do.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-noto-core fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin springboard \
    && install --directory --owner=springboard --group=springboard /data
COPY --from=build /opt/springboard /opt/springboard
ENV PATH=/opt/springboard/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SPRINGBOARD_DATABASE=/data/springboard.sqlite3
WORKDIR /data
VOLUME /data
USER 10001:10001
STOPSIGNAL SIGTERM
ENTRYPOINT ["springboard"]
CMD ["run"]
