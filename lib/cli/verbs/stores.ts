import type { ReadVerbOptions } from '../choose/read-options'
import { openSources, type Sources } from '../choose/sources'
import { EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../print/output'
import { renderTable } from '../print/table'

/** Lists the stores that were found, and all places where some were searched for. */
export async function stores(io: Io, options: ReadVerbOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const counts = new Map<string, number>()
  for (const { store } of await sources.listAll()) counts.set(store.id, (counts.get(store.id) ?? 0) + 1)
  if (options.json) {
    await writeJson(io, {
      stores: sources.stores.map((store) => ({
        ...store,
        transcripts: counts.get(store.id) ?? 0,
        problem: store.problem ?? null,
      })),
      probes: sources.probes,
    })
  } else await write(io.stdout, toText(sources, counts))
  return EXIT.done
}

function toText({ stores: found, probes }: Sources, counts: ReadonlyMap<string, number>): string {
  const list =
    found.length === 0
      ? 'No store was found.\n'
      : renderTable(found, [
          { title: 'KIND', cell: ({ kind, era }) => `${kind} (${era})` },
          { title: 'STATE', cell: ({ state }) => state },
          { title: 'TRANSCRIPTS', cell: ({ id }) => String(counts.get(id) ?? 0), align: 'right' },
          { title: 'PATH', cell: ({ root }) => root },
          { title: '', cell: ({ problem }) => problem ?? '' },
        ])
  const probed = renderTable(probes, [
    { title: 'PROBED', cell: ({ path }) => path },
    { title: 'KIND', cell: ({ kind }) => kind },
    { title: 'WHY', cell: ({ why }) => why },
    { title: '', cell: ({ found: there, problem }) => problem ?? (there ? 'found' : 'nothing there') },
  ])
  return `${list}\n${probed}`
}
