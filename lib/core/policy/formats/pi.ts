import { type KeyRule, type PolicyFormat, SWITCH } from './key-rule'

const known = (from: string): KeyRule => ({ from, to: null })

/** pi's own `settings.json`. The file holds much else; only how it compacts is ours to judge. */
export const PI_FORMAT: PolicyFormat = {
  name: 'pi',
  label: "pi's settings",
  sections: ['compaction'],
  rules: [
    {
      from: 'compaction.enabled',
      to: 'compaction.mode',
      wants: SWITCH,
      read: (value) => (value === false ? 'off' : 'default'),
      write: (value) => value !== 'off',
      takes: (value) => value === 'default' || value === 'off',
    },
    { from: 'compaction.reserveTokens', to: 'reserve.tokens' },
    { from: 'compaction.keepRecentTokens', to: 'compaction.keepRecentTokens' },
    known('branchSummary.reserveTokens'),
  ],
}
