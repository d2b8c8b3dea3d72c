/** A message, block or item whose fields are not known. */
export type Fields = { readonly [field: string]: unknown }

/**
 * What an API would refuse of the messages of a request; each line says where and why. Written apart from the product's
 * reading of blocks, so that neither covers for the other.
 * @param original the conversation before anything was done to it
 */
export type Rules = (messages: readonly Fields[], original: readonly Fields[]) => string[]

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value)
    ? value.filter((one): one is Fields => typeof one === 'object' && one !== null)
    : []
}

export function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

/** Whether two values are the same as JSON. */
export function isAlike(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
