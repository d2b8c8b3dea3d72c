import type { StoreReader } from './ports'

/** A reader for which every transcript ends before an entry: what a session was before that was added. */
export function readerUpTo(reader: StoreReader, seq: number): StoreReader {
  return {
    ...reader,
    list: (store) => reader.list(store),
    source: (store, transcript, place) => reader.source(store, transcript, place),
    read: async function* (store, transcript, cursor, onStart, wanted) {
      for await (const batch of reader.read(store, transcript, cursor, onStart, wanted)) {
        const facts = batch.facts.filter((fact) => fact.seq < seq)
        yield { ...batch, facts }
        if (facts.length < batch.facts.length) return
      }
    },
  }
}
