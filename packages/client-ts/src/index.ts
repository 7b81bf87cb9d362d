/**
 * Client of the VAA registry contract, on CosmJS: types and clients generated from the contract's schema, and what a
 * schema can not say: how to follow pages, read the answer to an execution, and tell errors apart.
 */
export * from "./generated/types.ts";
export * from "./generated/client.ts";
export * from "./errors.ts";
export * from "./pages.ts";
export * from "./submit.ts";
