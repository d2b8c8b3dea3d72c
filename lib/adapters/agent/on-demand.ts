// What few agents use, and what is large: loaded when it is called for the first time, so that no start waits for it.

import type { PolicyDocument } from '../../engine/policy/policy-store'
import type { StoreReader } from '../../engine/read/ports'
import type { Discovery, LookMemory, Where } from '../discovery/discover'
import { fingerprintRoot } from '../discovery/store-fingerprint'
import type { StoreReaderOptions } from '../stores/store-reader'

/**
 * Finds the stores of this machine. A named place is reported even when it is missing or unreadable; a
 * known place only when something is there. Never throws for what it finds.
 *
 * @example
 * ```ts
 * import { discoverStores } from 'plimsoll-agent'
 *
 * const { stores, probes } = await discoverStores({ home: '/home/pilot', env: process.env })
 * ```
 */
export async function discoverOnDemand(where: Where, memory?: LookMemory): Promise<Discovery> {
  const { discoverStores } = await import('./stores-and-policies')
  return discoverStores(where, memory)
}

/**
 * Reads one configuration file of any known format, with what it includes. A file that does not exist is an empty
 * document; faults in it are problems of the document.
 * @param path absolute path
 * @throws Error that names the file when it cannot be read
 *
 * @example
 * ```ts
 * import { openPolicyFile } from 'plimsoll-agent'
 *
 * const { path, file } = await openPolicyFile('plimsoll.yaml')
 * ```
 */
export async function policyFileOnDemand(path: string): Promise<PolicyDocument> {
  const { openPolicyFile } = await import('./stores-and-policies')
  return openPolicyFile(path)
}

/**
 * Reads stores of every kind and era. Remembers indexes, so keep one reader for as long as stores are watched.
 *
 * @example
 * ```ts
 * import { createStoreReader, discoverStores } from 'plimsoll-agent'
 *
 * const { stores } = await discoverStores({ home: '/home/pilot', env: process.env })
 * for (const store of stores)
 *   for await (const { sessionId } of createStoreReader().list(store)) console.log(sessionId)
 * ```
 */
export function storeReaderOnDemand(options: StoreReaderOptions = {}): StoreReader {
  let opened: Promise<Required<StoreReader>> | null = null
  const reader = () => {
    opened ??= import('./stores-and-policies').then((module) => module.createStoreReader(options))
    return opened
  }
  return {
    async *list(...asked) {
      yield* (await reader()).list(...asked)
    },
    async *read(...asked) {
      yield* (await reader()).read(...asked)
    },
    source: async (...asked) => (await reader()).source(...asked),
    async *texts(...asked) {
      yield* (await reader()).texts(...asked)
    },
    async *bytes(...asked) {
      yield* (await reader()).bytes(...asked)
    },
    fingerprint: fingerprintRoot,
  }
}
