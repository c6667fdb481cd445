// Names of the OpenAPI document from the names of endpoints.

/** `order-book` → `orderBook`. */
export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `order-book` → `OrderBook`. */
export const pascalCase = (name: string): string => camelCase(`-${name}`);
