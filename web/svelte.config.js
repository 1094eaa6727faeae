// Types in components are stripped by the compiler itself; there is nothing to set up.
export default {};
