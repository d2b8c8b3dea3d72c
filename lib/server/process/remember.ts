import 'server-only'
import { oncePerProcess } from './process-memory'

type Remembered<T> = { readonly stamp: string | number; readonly value: T }

/**
 * Answers, or promises of them, that are worked out once until what they are made of changes. Requests that come at the
 * same time share one promise; one that fails is forgotten, so that the next request tries again.
 * @param name the same name is the same memory, in every bundle of the process
 * @param size so many keys are kept; the one that was not asked for for longest goes first
 * @returns answers what is known of a key at this stamp, else what `load` makes; `earlier` is what it made at the stamp before
 */
export function remember<K extends string | number, T>(name: string, size: number) {
  const memory = () => oncePerProcess(name, () => new Map<K, Remembered<T>>())
  return (key: K, stamp: string | number, load: (earlier: T | undefined) => T): T => {
    const known = memory().get(key)
    const found = known?.stamp === stamp ? known : { stamp, value: load(known?.value) }
    // A map keeps the order in which keys were set: the first one was not asked for for longest.
    memory().delete(key)
    memory().set(key, found)
    for (const oldest of memory().keys()) {
      if (memory().size <= size) break
      memory().delete(oldest)
    }
    if (found !== known && found.value instanceof Promise)
      found.value.catch(() => {
        if (memory().get(key) === found) memory().delete(key)
      })
    return found.value
  }
}
