import { Table, Td, Th, Tr } from '@/components/ui/table'
import { helpLines, helpRuntimes } from '@/lib/view/help/help'

/** The default ladder of load lines on a usual window. */
export function HelpLines() {
  const { window, reserve, budget, lines } = helpLines()
  return (
    <>
      <p>
        {`A load line is a level at which something happens. Every session is measured against its runtime policy: what the runtime that owns it really does. These are their lines; what is assumed of a version or of settings is said beside them. Sessions of agents that embed the library have the lines of plimsoll.yaml, where it says runtime: library beside the path of their store.`}
      </p>
      <div className="rounded-card border border-line bg-surface">
        <Table caption={`Where runtimes compact in a window of ${window} tokens`}>
          <thead>
            <tr>
              <Th>Runtime</Th>
              <Th numeric>Compacts from</Th>
              <Th>And besides</Th>
            </tr>
          </thead>
          <tbody>
            {helpRuntimes().map((runtime) => (
              <Tr key={runtime.name}>
                <Th scope="row">{runtime.name}</Th>
                <Td numeric>{runtime.compact}</Td>
                <Td>{runtime.besides}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
      <p>
        {`A draft is a policy that is tried: a preset, your settings file, --policy. It governs nothing until it is applied; Policies, Compact, Pruning and the panel of a session’s chart show what it would do. An agent that embeds the library has its own policy, whose ladder begins as follows: on a window of ${window} tokens, ${reserve} are reserved and the effective budget is ${budget}.`}
      </p>
      <div className="rounded-card border border-line bg-surface">
        <Table caption={`Load lines of the default policy on a window of ${window} tokens`}>
          <thead>
            <tr>
              <Th>Line</Th>
              <Th numeric>Share</Th>
              <Th numeric>Tokens</Th>
              <Th>What happens there</Th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Tr key={`${line.name} ${line.tokens}`}>
                <Th scope="row">{line.name}</Th>
                <Td numeric>{line.share}</Td>
                <Td numeric>{line.tokens}</Td>
                <Td>{line.does}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </div>
      <p>
        The release of a runtime is read from its own files; its own settings override what the release does.
        Policies › Per session shows both, and how many of the recorded compactions the runtime policy
        explains within one call, each other one with its reason.
      </p>
    </>
  )
}
