import { expect } from 'vitest'
import type { RepairRules } from '../../core/repair/content-flaws'
import { playScene } from './play-scene'

export type Line = Readonly<Record<string, unknown>>
export type Name = string | null | undefined

export const user = (id: Name, parentId: Name, more: Line = {}): Line => ({
  ...{ type: 'message', id, parentId, message: { role: 'user', content: `say ${id}` } },
  ...more,
})
export const calls = (id: Name, parentId: Name, ...names: string[]): Line =>
  stopped('toolUse', id, parentId, ...names)
export const stopped = (stopReason: string, id: Name, parentId: Name, ...names: string[]): Line => {
  const content = names.map((name) => ({ type: 'toolCall', id: name, name: 'ls', arguments: {} }))
  return { type: 'message', id, parentId, message: { role: 'assistant', stopReason, content } }
}
export const result = (id: Name, parentId: Name, call: string): Line => ({
  ...{ type: 'message', id, parentId },
  message: { role: 'toolResult', toolCallId: call, toolName: 'ls', content: [] },
})
export const compaction = (id: Name, parentId: Name, keeps: Line): Line => ({
  type: 'compaction',
  id,
  parentId,
  summary: 's',
  ...keeps,
})
export const from = (firstKeptEntryId: string): Line => ({ firstKeptEntryId })
export const leaf = (id: Name, parentId: Name, targetId: unknown): Line => ({
  type: 'leaf',
  id,
  parentId,
  targetId,
})
export const entry = (type: string, id: string, parentId: Name, more: Line = {}): Line => ({
  type,
  id,
  parentId,
  ...more,
})
/** A message without a role, which cannot stay. */
export const unfit = (id: Name, parentId: Name): Line => ({
  type: 'message',
  id,
  parentId,
  message: { role: null },
})

/** The lines behind a header. */
export const textOfScene = (lines: readonly Line[], version = 3, header: Line = {}) =>
  [{ type: 'session', id: 's', version, ...header }, ...lines]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

/** What it is, the lines behind the header, what is found, what is there then, and what was done. */
export type Case = readonly [string, readonly Line[], readonly string[], readonly string[], string]

export async function expectScene(
  [, lines, found, after, steps]: Case,
  version?: number,
  rules?: RepairRules,
): Promise<void> {
  expect(await playScene(textOfScene(lines, version), rules)).toMatchObject({
    found,
    after,
    steps,
    again: [],
  })
}
