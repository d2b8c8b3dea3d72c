import { expect, it } from 'vitest'
import { contradictions } from './check'
import type { PolicyPatch } from './policy'
import { resolvePolicy } from './resolve'

const found = (patch: PolicyPatch) =>
  contradictions(resolvePolicy([{ level: 'session', label: 's', patch }]).policy).map(
    ({ severity, paths, message }) => [
      severity,
      paths.join(' '),
      /\d[\d.]*/g[Symbol.match](message)?.join(' ') ?? '',
    ],
  )

const RATIOS = 'budget.systemPromptRatio budget.bootstrapRatio budget.historyRatio budget.responseRatio'

it.each<[string, PolicyPatch, readonly (readonly string[])[]]>([
  ['nothing', {}, []],
  ['ratios of exactly 1', { budget: { historyRatio: 0.55 } }, []],
  [
    'ratios of 1 and a billionth',
    {
      budget: {
        ...{ systemPromptRatio: 0.25, bootstrapRatio: 0.25, historyRatio: 0.25 },
        responseRatio: 0.250000001,
      },
    },
    [],
  ],
  ['ratios above 1, rounded', { budget: { historyRatio: 0.5500005 } }, [['error', RATIOS, '1.000001 1 1']]],
  [
    'a keep threshold at the cut-off',
    { relevance: { keep: 0.3 } },
    [['error', 'relevance.keep relevance.cutoff', '0.3 0.3']],
  ],
  ['a keep threshold just above it', { relevance: { keep: 0.31 } }, []],
  ['a line at the hard limit', { lines: { slide: { at: 0.85 } } }, []],
  [
    'a line above the hard limit',
    { lines: { curate: { at: 0.9 } } },
    [['error', 'lines.curate.at lines.hard.at', '0.9 0.85']],
  ],
  ['a line above a hard limit that is off', { lines: { slide: { at: 0.9 }, hard: { enabled: false } } }, []],
  [
    'lines above the hard limit, one of them off',
    { lines: { hard: { at: 0.1 }, compact: { enabled: false } } },
    [
      ['error', 'lines.curate.at lines.hard.at', '0.4 0.1'],
      ['error', 'lines.slide.at lines.hard.at', '0.7 0.1'],
    ],
  ],
  ['a warning at the refusal', { window: { warnBelow: 16_000 } }, []],
  [
    'a warning below the refusal',
    { window: { warnBelow: 15_999 } },
    [['warning', 'window.warnBelow window.blockBelow', '16000 15999']],
  ],
  [
    'an address without a model',
    { summary: { url: 'http://a' } },
    [['warning', 'summary.url summary.model', '2.5 7']],
  ],
  ['an address with a model', { summary: { url: 'http://a', model: 'ollama/x' } }, []],
  ['the literal recency', { relevance: { recency: 'literal' } }, [['warning', 'relevance.recency', '']]],
  ['one file as large as all', { bootstrap: { maxCharsPerFile: 150_000 } }, []],
  [
    'one file larger than all',
    { bootstrap: { maxCharsPerFile: 150_001 } },
    [['warning', 'bootstrap.maxCharsPerFile bootstrap.maxCharsTotal', '']],
  ],
  [
    'head and tail as long as the whole',
    { pruning: { cacheTtl: { softTrimHeadChars: 2_500 } } },
    [
      [
        'warning',
        'pruning.cacheTtl.softTrimHeadChars pruning.cacheTtl.softTrimTailChars pruning.cacheTtl.softTrimMaxChars',
        '4000 4000',
      ],
    ],
  ],
  ['head and tail a character shorter', { pruning: { cacheTtl: { softTrimHeadChars: 2_499 } } }, []],
  ['clearing at the trim', { pruning: { cacheTtl: { hardClearRatio: 0.3 } } }, []],
  [
    'clearing below the trim',
    { pruning: { cacheTtl: { hardClearRatio: 0.29 } } },
    [['warning', 'pruning.cacheTtl.hardClearRatio pruning.cacheTtl.softTrimRatio', '0.3 0.29']],
  ],
])('V5, A4: what contradicts itself in a policy with %s', (_name, patch, expected) => {
  expect(found(patch)).toEqual(expected)
})
