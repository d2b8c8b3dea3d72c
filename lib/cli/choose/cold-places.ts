import { coldPlaces, withColdPlaces } from '../../compose/cold/cold'
import type { PoliciesOfStores } from '../../compose/policy/policy-sources'
import { type ChunkName, chooseChunk } from '../../engine/cold/choose-chunk'
import { type ColdPlace, placeOfChunk } from '../../engine/cold/cold-places'
import type { ColdChunk } from '../../engine/cold/cold-store'
import { CliError, EXIT, type Io } from '../io'
import { timeJson } from '../print/figure-json'
import { setupOrFail } from './setup-or-fail'

/** For messages. */
export function rootsOf(places: readonly ColdPlace[]): string {
  return places.map(({ store }) => store.root).join(', ')
}

/**
 * The chunk that an id means, and its folder. Of several sessions, `--session` must tell whose.
 * @throws CliError when there is none, or it is not clear
 */
export async function chunkOrFail(
  io: Io,
  policies: PoliciesOfStores,
  id: string,
  name: ChunkName,
): Promise<{ readonly chunk: ColdChunk; readonly place: ColdPlace }> {
  const setup = setupOrFail(io)
  const places = coldPlaces(setup, policies)
  const choice = chooseChunk(await withColdPlaces(setup, places, (finder) => finder.named(id)), name)
  switch (choice.kind) {
    case 'one':
      return { chunk: choice.chunk, place: placeOfChunk(places, choice.chunk) }
    case 'none':
      throw new CliError(
        EXIT.usage,
        `There is no chunk ${JSON.stringify(id)} in ${rootsOf(places)}. "plimsoll cold-storage list" tells what there is.`,
      )
    case 'several': {
      const candidates = choice.chunks.map(({ sessionId, at }) => ({ session: sessionId, at: timeJson(at) }))
      throw new CliError(
        EXIT.usage,
        `${JSON.stringify(id)} is the name of ${candidates.length} chunks. Say whose with --session: ${candidates.map((candidate) => candidate.session).join(', ')}`,
        { candidates },
      )
    }
  }
}
