import { describe, expect, it } from 'vitest'
import type { FindingRemedy } from '../../core/findings/finding'
import { remedyItem } from './remedy-item'

const HREF = '/sessions/ab12'

function action(of: Extract<FindingRemedy, { by: 'action' }>['action'], storeId: string | null = null) {
  return remedyItem({ by: 'action', action: of, words: 'Do it.' }, HREF, storeId).href
}

describe('what can be done about a finding', () => {
  it('leads to the page of the session on which an action is previewed and done', () => {
    expect(action('repair')).toBe('/sessions/ab12/integrity')
    expect(action('compact')).toBe('/sessions/ab12/compact')
    expect(action('prune')).toBe('/sessions/ab12/pruning')
    expect(action('recover')).toBe('/sessions/ab12/compactions')
  })

  it('leads to the maintenance of a store, and to what the archive keeps', () => {
    expect(action('maintain', 's1')).toBe('/stores/s1/maintenance')
    expect(action('archive', 's1')).toBe('/stores#archive')
  })

  it('leads nowhere where no page does it', () => {
    expect(action('maintain')).toBeNull()
    expect(action('compact', 's1')).toBeNull()
    expect(remedyItem({ by: 'advice', words: 'Write less.' }, HREF, null).href).toBeNull()
  })

  it('names the setting, with its value where one is right everywhere, or the command', () => {
    const setting: FindingRemedy = {
      by: 'setting',
      runtime: 'openclaw',
      lever: 'prune',
      key: 'agents.defaults.contextPruning.mode',
      value: 'cache-ttl',
      words: 'Let the runtime clear old results.',
    }
    const code = (remedy: FindingRemedy) => remedyItem(remedy, HREF, null).code
    expect(code(setting)).toBe('agents.defaults.contextPruning.mode: "cache-ttl"')
    expect(code({ ...setting, value: null })).toBe('agents.defaults.contextPruning.mode')
    expect(code({ by: 'command', argv: ['ollama', 'ps'], words: 'Look.' })).toBe('ollama ps')
  })
})
