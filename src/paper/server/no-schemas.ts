// An option for every server of the program: its routes have no schemas, and loading the compilers for them takes 80 ms.

const refuse = () => () => {
  throw new Error('No route has a schema.');
};

/** Spread into the options of `fastify`. */
export const NO_SCHEMAS = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
};
