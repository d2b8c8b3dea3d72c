import type { LossesView } from './losses'

/** What of the losses holds a text, whatever its case; '' is in all. Counts stay those of everything. */
export function filterLosses(losses: LossesView, text: string): Pick<LossesView, 'groups' | 'sentences'> {
  const wanted = text.trim().toLowerCase()
  const groups = losses.groups.filter(({ lost }) => lost > 0)
  if (wanted === '') return { groups, sentences: losses.sentences }
  const holds = (one: { readonly text: string }) => one.text.toLowerCase().includes(wanted)
  return {
    groups: groups.flatMap((group) => {
      const names = group.names.filter(holds)
      return names.length === 0 ? [] : [{ ...group, names }]
    }),
    sentences: losses.sentences.filter(holds),
  }
}
