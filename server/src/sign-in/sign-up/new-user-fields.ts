import { field, newPasswordField, type PageContext, type Texts, texts } from '../../pages/index.ts'
import type { SignUpErrors } from '../../users/index.ts'

/** The fields of a new user, `name`, `email` and `password`, and their errors in that order. */
export function newUserFields(
  { language }: PageContext,
  { values, errors: found }: { values: { name?: string | undefined; email?: string | undefined }; errors: SignUpErrors },
): { fields: string; wrong: Array<{ name: string; message: string }> } {
  const all = texts[language]
  const errors = messagesOf(all, found)
  const wrong = Object.entries(errors).flatMap(([name, message]) => (message === undefined ? [] : [{ name, message }]))
  const first = wrong[0]?.name ?? 'name'
  const fields = `${field({
    name: 'name',
    label: all.signUp.name,
    value: values.name,
    autocomplete: 'name',
    traits: 'autocapitalize="words" spellcheck="false"',
    error: errors.name,
    focus: first === 'name',
  })}
${field({
  name: 'email',
  label: all.login.email,
  type: 'email',
  value: values.email,
  autocomplete: 'username',
  traits: 'inputmode="email" autocapitalize="none" spellcheck="false"',
  error: errors.email,
  focus: first === 'email',
})}
${newPasswordField(all, { label: all.login.password, error: errors.password, focus: first === 'password' })}`
  return { fields, wrong }
}

/** In the order of the fields. */
function messagesOf({ signUp: labels, password, emailErrors }: Texts, { name, email, password: weak }: SignUpErrors) {
  return {
    name: name && (name === 'required' || name === 'too_long' ? labels.nameErrors[name] : labels.nameErrors.invalid),
    email: email && (email === 'required' ? emailErrors.required : emailErrors.invalid),
    password: weak && password.errors[weak],
  }
}
