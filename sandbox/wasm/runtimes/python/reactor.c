/*
 * The interpreter as a reactor: functions that a host calls on an instance of the module. Their meaning stands in
 * ../README.md. Start and end of a program are written in Python (start.py, compiled into this file); the program's own code is
 * evaluated from here, so that no frame of ours stands below it in a traceback.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(name)))

static const char start_source[] = {
#embed "start.py"
	, 0
};

static PyObject *start; /* the names that start.py defines */

/* call_start calls a function of start.py. Steals the arguments; NULL with an exception set on failure. */
static PyObject *call_start(const char *name, PyObject *args)
{
	PyObject *function, *result = NULL;

	if (args == NULL)
		return NULL;
	function = PyDict_GetItemString(start, name); /* borrowed */
	if (function != NULL)
		result = PyObject_CallObject(function, args);
	else
		PyErr_SetString(PyExc_SystemError, name);
	Py_DECREF(args);
	return result;
}

/* status takes a Python number as an exit status; an exception of our own code is shown and is status 70. */
static int status(PyObject *number)
{
	long n = 70;

	if (number != NULL)
		n = PyLong_AsLong(number);
	if (PyErr_Occurred()) {
		PyErr_Print();
		n = 70;
	}
	Py_XDECREF(number);
	return (int)(n & 255);
}

static int run_source(const char *source, Py_ssize_t length, const char *name, PyObject *names)
{
	PyObject *text, *code, *result = NULL;

	text = PyBytes_FromStringAndSize(source, length); /* ends with a NUL of its own */
	if (text == NULL)
		return 1;
	code = Py_CompileString(PyBytes_AS_STRING(text), name, Py_file_input);
	Py_DECREF(text);
	if (code != NULL) {
		result = PyEval_EvalCode(code, names, names);
		Py_DECREF(code);
	}
	if (result == NULL) {
		PyErr_Print();
		return 1;
	}
	Py_DECREF(result);
	return 0;
}

static PyObject *new_names(const char *name)
{
	PyObject *names = PyDict_New(), *text = PyUnicode_FromString(name);

	if (names == NULL || text == NULL)
		return NULL;
	PyDict_SetItemString(names, "__name__", text);
	PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins());
	Py_DECREF(text);
	return names;
}

EXPORT("rt_init") int rt_init(void)
{
	PyPreConfig early;
	PyConfig config;
	PyStatus st;

	PyPreConfig_InitIsolatedConfig(&early);
	early.utf8_mode = 1;
	st = Py_PreInitialize(&early);
	if (PyStatus_Exception(st))
		return 1;
	PyConfig_InitIsolatedConfig(&config);
	config.site_import = 0;
	config.write_bytecode = 0;
	config.use_hash_seed = 1; /* the order of sets of strings is the same in every job */
	config.hash_seed = 0;
	config.install_signal_handlers = 0;
	config.pathconfig_warnings = 0;
	PyConfig_SetString(&config, &config.home, L"/");
	PyConfig_SetString(&config, &config.program_name, L"python3");
	PyConfig_SetString(&config, &config.executable, L"");
	PyConfig_SetString(&config, &config.stdio_encoding, L"utf-8");
	PyConfig_SetString(&config, &config.stdio_errors, L"surrogateescape"); /* as in UTF-8 mode */
	PyConfig_SetString(&config, &config.filesystem_encoding, L"utf-8");
	config.module_search_paths_set = 1;
	PyWideStringList_Append(&config.module_search_paths, L"/lib/python3.11");
	st = Py_InitializeFromConfig(&config);
	PyConfig_Clear(&config);
	if (PyStatus_Exception(st)) {
		fprintf(stderr, "python: %s\n", st.err_msg ? st.err_msg : "did not start");
		return 1;
	}
	start = new_names("_start");
	if (start == NULL)
		return 1;
	return run_source(start_source, sizeof start_source - 1, "<start>", start);
}

EXPORT("rt_alloc") void *rt_alloc(int size)
{
	return malloc(size > 0 ? (size_t)size : 1);
}

EXPORT("rt_exec") int rt_exec(const char *source, int length)
{
	PyObject *names = new_names("__prepare__");

	if (names == NULL)
		return 1;
	return run_source(source, length, "<prepare>", names);
}

EXPORT("rt_freeze") int rt_freeze(void)
{
	return status(call_start("freeze", PyTuple_New(0)));
}

/* run_program evaluates what start.load chose: a code object in __main__, or a function. NULL with an exception set when it failed. */
static PyObject *run_program(PyObject *program)
{
	PyObject *names;

	if (!PyCode_Check(program))
		return PyObject_CallNoArgs(program);
	names = PyModule_GetDict(PyImport_AddModule("__main__")); /* borrowed */
	return PyEval_EvalCode(program, names, names);
}

EXPORT("rt_main") int rt_main(const char *args, int args_length, const char *env, int env_length, const char *dir, int dir_length)
{
	PyObject *program, *result, *type, *value, *traceback, *leaving;
	int started;

	program = call_start("load", Py_BuildValue("(y#y#y#)", args, (Py_ssize_t)args_length, env, (Py_ssize_t)env_length,
						   dir, (Py_ssize_t)dir_length));
	if (program != NULL && PyLong_Check(program)) /* not a command line that can be run */
		return status(program);
	started = program != NULL;
	result = started ? run_program(program) : NULL;
	Py_XDECREF(program);
	if (result != NULL) {
		Py_DECREF(result);
		leaving = PyTuple_Pack(1, Py_None);
	} else {
		PyErr_Fetch(&type, &value, &traceback);
		PyErr_NormalizeException(&type, &value, &traceback);
		if (traceback != NULL && started) /* without ours, where the program could not even be compiled */
			PyException_SetTraceback(value, traceback);
		Py_XDECREF(type);
		Py_XDECREF(traceback);
		leaving = PyTuple_Pack(1, value);
		Py_XDECREF(value);
	}
	return status(call_start("leave", leaving));
}
