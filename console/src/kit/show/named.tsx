import { Typography } from '@mui/material'
import { labelOf } from '../../payments/label-of.ts'

/** A name of the API in words, with the name itself below: engineers search for it, and lists are filtered by it. */
export function Named({ name, labels }: { name: string; labels: Readonly<Record<string, string>> }) {
  const known = labelOf(labels, name)
  return (
    <>
      {known}
      {known !== name && (
        <Typography component="div" variant="body2" color="textSecondary">
          <code>{name}</code>
        </Typography>
      )}
    </>
  )
}
