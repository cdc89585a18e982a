// Next.js looks for the root of a repository above this folder, unless it is told.
export default { turbopack: { root: import.meta.dirname } };
