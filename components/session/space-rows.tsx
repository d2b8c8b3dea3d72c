/** Takes the space of the rows of a long table that are not rendered. */
export function SpaceRows({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tbody aria-hidden="true">
      <tr>
        <td className="p-0" style={{ height }} />
      </tr>
    </tbody>
  )
}
