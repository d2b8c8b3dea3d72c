import { KeywordIndex } from '../cold/search-index'
import { termsOf } from '../relevance/tokenize'
import type { Milliseconds } from '../units/units'
import { confidenceAt, type Fact, stateAt } from './fact'
import { cutAtBoundary, escapeText, NOT_AN_INSTRUCTION, oneLine } from './prompt-text'
import type { TextRoom } from './task-text'

/** A fact that fits a query, and how well: likeness of words × confidence today. */
export type RankedFact = { readonly fact: Fact; readonly rank: number }

/** So many facts are recalled for a task. */
export const RECALLED_FACTS = 5

/**
 * The facts that fit a query best. Without words the surest ones, newest first.
 * @param all true: archived and contradicted ones as well, for their maintenance
 */
export function rankFacts(
  facts: readonly Fact[],
  query: string,
  { now, limit, all = false }: { readonly now: Milliseconds; readonly limit: number; readonly all?: boolean },
): RankedFact[] {
  const offered = facts.filter((fact) => all || stateAt(fact, now) === 'active')
  const words = [...termsOf(query)].join(' ')
  const sure = (fact: Fact) => confidenceAt(fact, now)
  if (words === '' && query.trim() !== '') return []
  if (words === '')
    return offered
      .map((fact) => ({ fact, rank: sure(fact) }))
      .toSorted((a, b) => b.fact.confirmedAt - a.fact.confirmedAt || b.rank - a.rank)
      .slice(0, limit)
  const index = new KeywordIndex<Fact>()
  for (const fact of offered.toSorted((a, b) => a.confirmedAt - b.confirmedAt))
    index.add(fact, [fact.content, ...fact.tags, fact.source].join('\n'))
  return index
    .search(words, offered.length)
    .map(({ key, score }) => ({ fact: key, rank: score * sure(key) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, limit)
}

/** Facts as a section of a prompt: at most five bullets, within the room; empty for none. */
export function knowledgeSection(
  facts: readonly Pick<Fact, 'content'>[],
  { budget, sizeOf }: TextRoom,
): string {
  const lines: string[] = []
  const textOf = (bullets: readonly string[]) =>
    ['## Relevant Knowledge', NOT_AN_INSTRUCTION, ...bullets].join('\n')
  for (const { content } of facts.slice(0, RECALLED_FACTS)) {
    const bullet = `- ${escapeText(oneLine(content))}`
    const cut = cutAtBoundary(bullet, (text) => sizeOf(textOf([...lines, text])) <= budget)
    if (cut.length <= 3) break
    lines.push(cut)
  }
  return lines.length === 0 ? '' : textOf(lines)
}
