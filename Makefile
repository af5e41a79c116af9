# Short names for the commands of tools/run.
.PHONY: demo test build mutants
demo test build mutants:
	bash tools/run $@
