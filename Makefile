# Short names for the commands of tools/run.
.PHONY: demo test build
demo test build:
	bash tools/run $@
