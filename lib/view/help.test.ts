import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ContextManager } from '../engine/context-manager'
import { HELP_DUTIES } from './help'

test('V2: the page of an agent’s duties names everything that a ContextManager can be asked for', () => {
  const calls = HELP_DUTIES.map(({ call, does }) => `${call} ${does}`).join('\n')
  const manager = readFileSync(
    fileURLToPath(new URL('../engine/context-manager.ts', import.meta.url)),
    'utf8',
  )
  const own = Object.getOwnPropertyNames(ContextManager.prototype)
  const open = own.filter(
    (name) =>
      name !== 'constructor' &&
      !new RegExp(`private (async )?${name}\\b`).test(manager) &&
      // A figure to be read, not a call.
      Object.getOwnPropertyDescriptor(ContextManager.prototype, name)?.get === undefined,
  )
  expect(open.length).toBeGreaterThan(10)
  expect(open.filter((name) => !calls.includes(`context.${name}(`))).toEqual([])
})

test('V2: the library knows no host: none of its files imports a framework of agents', () => {
  for (const name of ['library.ts', 'library-core.ts']) {
    const source = readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')
    const from = [...source.matchAll(/from '([^']+)'/g)].map(([, path]) => path ?? '')
    expect(from.length).toBeGreaterThan(10)
    expect(from.filter((path) => !path.startsWith('./'))).toEqual([])
  }
})
