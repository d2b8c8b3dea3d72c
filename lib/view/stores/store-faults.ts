import { visibleLine } from '../text/visible-text'
import { storeTitles } from './store-title'

/** A store that cannot be read, or not be judged, as a sentence with what to do. */
export type StoreFault = {
  readonly storeId: string
  /** `OpenClaw · harbour` */
  readonly title: string
  /** What is wrong with it, to be read after the title. */
  readonly words: string
  readonly href: string
}

type FaultFacts = {
  readonly id: string
  readonly kind: string
  readonly root: string
  readonly label: string
  readonly state: string
  readonly problem: string | null
  readonly findingsProblem: string | null
  /** Milliseconds; null: nothing of it was ever read. */
  readonly lastReadAt: number | null
}

/** What a store is while nothing new of it can be read. One that was taken away is no fault: it says so where it is listed. */
const UNREAD: { readonly [state: string]: string } = {
  unreadable: 'cannot be read',
  locked: 'is locked by another program',
  newer: 'is of a newer form than this Plimsoll knows',
}

/** Those of some stores in which something is wrong. */
export function storeFaults(stores: readonly FaultFacts[]): readonly StoreFault[] {
  const titles = storeTitles(stores)
  return stores.flatMap((store) => {
    const words = faultWords(store)
    if (words === null) return []
    const title = visibleLine(titles.get(store.id) ?? store.root)
    return [{ storeId: store.id, title, words: visibleLine(words), href: `/stores#${store.id}` }]
  })
}

function faultWords({ state, problem, findingsProblem, lastReadAt }: FaultFacts): string | null {
  const unread = UNREAD[state]
  if (unread !== undefined) {
    const kept =
      lastReadAt === null
        ? 'and nothing of it was read before: what it holds is unknown.'
        : 'so that its sessions are as they were read last.'
    return [`${unread}, ${kept}`, problem].filter((sentence) => sentence !== null).join(' ')
  }
  return state === 'missing' ? null : judgingWords(findingsProblem)
}

/** Why the findings about a store as a whole may not be all; null: they are. */
export function judgingWords(problem: string | null): string | null {
  if (problem === null) return null
  const sentence = /[.!?]$/.test(problem) ? problem : `${problem}.`
  return `could not be examined as a whole, so that findings about its locks and folders may be old or missing. ${sentence} It is tried again every half minute.`
}
