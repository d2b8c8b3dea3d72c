import 'server-only'

type Memory = Map<string, unknown>

const HOLDER = Symbol.for('plimsoll.process-memory')

/**
 * A thing that there is once per process, made when it is first asked for. A variable of a module is not that: the
 * bundler copies modules into the bundles of pages and of routes, and each copy has its own.
 * @param name the same name is the same thing; always ask for it with the same type
 */
export function oncePerProcess<T>(name: string, make: () => T): T {
  const holder = globalThis as { [HOLDER]?: Memory }
  holder[HOLDER] ??= new Map()
  const memory = holder[HOLDER]
  if (!memory.has(name)) memory.set(name, make())
  return memory.get(name) as T
}
