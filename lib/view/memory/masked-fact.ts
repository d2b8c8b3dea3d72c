import { statedFact } from '../../core/memory/extract-facts'
import type { Fact } from '../../core/memory/fact'
import { maskSecrets } from '../../core/redaction/secrets'

/**
 * A fact with credentials covered. What was read out of its words is read anew from the covered ones: a password without
 * the word before it is not known for one.
 */
export function maskedFact(fact: Fact): Fact {
  const content = maskSecrets(fact.content)
  const { entities, relation } =
    content === fact.content ? fact : statedFact(content, { source: fact.source, tags: fact.tags })
  return {
    ...fact,
    content,
    entities,
    relation,
    source: maskSecrets(fact.source),
    tags: fact.tags.map(maskSecrets),
    scope: fact.scope === null ? null : maskSecrets(fact.scope),
  }
}
