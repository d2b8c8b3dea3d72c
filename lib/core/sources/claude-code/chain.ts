import type { JsonObject } from '../../transcript/json'

/** The place of a line in the tree, and its time. */
export function inChain({ uuid, parentUuid, timestamp }: JsonObject): JsonObject {
  return { id: uuid, parentId: parentUuid ?? null, timestamp }
}
