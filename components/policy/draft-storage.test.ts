import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beginDraft, changeDraft, undoDraft } from '@/lib/view/policy/policy-draft'
import { loadDraft, storeDraft } from './draft-storage'

const PATH = '/home/sam/plimsoll.yaml'
const KEY = `plimsoll.policy-draft:${PATH}`
const base = beginDraft({ text: 'policy: {}\n', hash: 'h1' })
const changed = changeDraft(base, 'policy: { preset: vs7 }\n')

let items: Map<string, string>
beforeEach(() => {
  items = new Map()
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
      removeItem: (key: string) => items.delete(key),
    },
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('a draft outlives the page, and can be undone to the text that it began from', () => {
  storeDraft(PATH, changed)
  const found = loadDraft(PATH)
  expect(found).toMatchObject({ text: changed.text, baseHash: 'h1' })
  expect(found && undoDraft(found).text).toBe(base.text)
  expect(loadDraft('/home/sam/other.yaml')).toBeNull()
})

test('one without changes, or that is given up, is not kept', () => {
  for (const gone of [base, null]) {
    storeDraft(PATH, changed)
    storeDraft(PATH, gone)
    expect(items.size).toBe(0)
  }
})

test('what is no draft is none', () => {
  for (const text of ['', '{', '[]', 'null', '{"text":1,"baseText":"","baseHash":""}']) {
    items.set(KEY, text)
    expect(loadDraft(PATH), text).toBeNull()
  }
})

test('a browser that keeps nothing loses a draft, and no page', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('window', { sessionStorage: { getItem: refuse, setItem: refuse, removeItem: refuse } })
  expect(() => storeDraft(PATH, changed)).not.toThrow()
  expect(loadDraft(PATH)).toBeNull()
})
