import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallGraph } from './call-graph.mjs'

const FILES = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }',
  'port.ts': `
    export interface Files { write(text: string): void; readonly limit: number }
    export type Clock = { readonly now: () => number }`,
  'disk.ts': `
    import type { Files } from './port'
    function put(text: string) { return text.length }
    export const disk: Files = { write: (text) => { put(text) }, limit: 3 }`,
  'memory.ts': `
    export class Memory { limit = 1; write(text: string) { this.keep(text) } private keep(text: string) { return text } }`,
  'other.ts': `
    export class Other { write(text: number) { return text } }`,
  'time.ts': `
    export function systemTime() { return 0 }`,
  'use.ts': `
    import type { Clock, Files } from './port'
    import { helper as renamed } from './helper'
    export function save(files: Files, { now }: Clock) { files.write(renamed(String(now()))) }`,
  'helper.ts': `
    import { type Unseen } from './unseen'
    export function helper(text: string): string { const shorten = (one: string) => one; return shorten(text) }
    export function idle(given: Unseen) { return given }`,
  'unseen.ts': 'export type Unseen = string',
  'main.ts': `
    import { disk } from './disk'
    import { Memory } from './memory'
    import { systemTime } from './time'
    import { save } from './use'
    export function main() { save(disk, { now: systemTime }); save(new Memory(), { now: systemTime }) }`,
}

describe('which function calls which', () => {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll-calls-'))
  let graph: CallGraph
  beforeAll(() => {
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    graph = new CallGraph(
      root,
      Object.keys(FILES).filter((name) => name.endsWith('.ts')),
    )
  })
  afterAll(() => {
    graph?.close()
    rmSync(root, { recursive: true, force: true })
  })

  const callsOf = (file: string, name: string) =>
    graph
      .callsOf(graph.find(file, name))
      .map((place) => `${place.file} ${place.label}`)
      .sort()

  it('a member of an interface is what objects and classes have for it, whether they name the interface or not', () => {
    expect(callsOf('use.ts', 'save')).toEqual([
      'disk.ts disk.write',
      'helper.ts helper',
      'memory.ts Memory.write',
      'time.ts systemTime',
    ])
  })

  it('to use a constant or to make an object is a call; what its members call is theirs', () => {
    expect(callsOf('main.ts', 'main')).toEqual([
      'disk.ts disk',
      'memory.ts Memory',
      'time.ts systemTime',
      'use.ts save',
    ])
    expect(callsOf('disk.ts', 'disk')).toEqual([])
    expect(callsOf('disk.ts', 'disk.write')).toEqual(['disk.ts put'])
    expect(callsOf('memory.ts', 'Memory.write')).toEqual(['memory.ts Memory.keep'])
  })

  it('types are no calls', () => {
    expect(callsOf('helper.ts', 'idle')).toEqual([])
  })

  it('a name that is not there is an error, so that a way that was renamed is found', () => {
    expect(() => graph.find('use.ts', 'gone')).toThrow('use.ts has no gone')
  })
})
