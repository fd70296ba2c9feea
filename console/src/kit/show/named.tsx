import { Typography } from '@mui/material'
import { wordOf } from '../../payments/word-of.ts'

/** What the API names, in words, with the name itself below: engineers look for it, and lists are filtered by it. */
export function Named({ name, words }: { name: string; words: Readonly<Record<string, string>> }) {
  const known = wordOf(words, name)
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
