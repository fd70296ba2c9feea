import type { Language } from '../../pages/index.ts'

/** The texts of the pages of the first start and of the console's own sign-in. Portuguese is the master. */
const ptBR = {
  setup: {
    title: 'Crie a primeira conta',
    lead: 'Quem tem esta conta controla a Portaria: apps, pessoas e pagamentos.',
    submit: 'Criar conta e entrar',
    once: 'Este endereço funciona uma vez, por 30 minutos.',
    changed: 'Algo mudou enquanto você preenchia',
    changedAdvice: 'Confira os dados e envie de novo.',
  },
  known: {
    title: 'Este e-mail já tem conta',
    lead: 'Digite a senha dela, e ela passa a ser proprietária da Portaria.',
    password: 'Senha da conta',
    submit: 'Entrar como proprietário',
    noPassword: 'Não sabe a senha, ou entra de outro jeito? No terminal do servidor:',
    other: 'Prefere outra conta?',
    otherEmail: 'Usar outro e-mail',
  },
  gone: {
    title: 'Este endereço não vale mais',
    lead: 'Ele funciona uma vez, por 30 minutos, e só enquanto a Portaria não tem proprietário. Um endereço novo anula o anterior.',
    another: 'Para criar outro, no terminal do servidor:',
    already: 'Já tem a conta proprietária?',
    signIn: 'Entrar no console',
  },
  authenticated: {
    title: 'Confirmado',
    lead: 'Pode fechar esta janela e continuar no console, onde parou.',
    open: 'Abrir o console aqui',
  },
}

const en: typeof ptBR = {
  setup: {
    title: 'Create the first account',
    lead: 'Anyone with it controls this Portaria: apps, users and payments.',
    submit: 'Create account and sign in',
    once: 'This address works once, within 30 minutes.',
    changed: 'Something changed while you were typing',
    changedAdvice: 'Check what you typed and send it again.',
  },
  known: {
    title: 'This email has an account',
    lead: 'Enter its password, and it becomes the owner of this Portaria.',
    password: 'Password of the account',
    submit: 'Sign in as owner',
    noPassword: 'Don’t know the password, or sign in another way? In a terminal on the server:',
    other: 'Prefer another account?',
    otherEmail: 'Use another email',
  },
  gone: {
    title: 'This address no longer works',
    lead: 'It works once, within 30 minutes, and only while this Portaria has no owner. A new one replaces the previous one.',
    another: 'To create another, in a terminal on the server:',
    already: 'Already have the owner account?',
    signIn: 'Sign in to the console',
  },
  authenticated: {
    title: 'Confirmed',
    lead: 'You can close this window and continue in the console, where you left off.',
    open: 'Open the console here',
  },
}

const es: typeof ptBR = {
  setup: {
    title: 'Crea la primera cuenta',
    lead: 'Quien tiene esta cuenta controla Portaria: apps, personas y pagos.',
    submit: 'Crear cuenta y entrar',
    once: 'Esta dirección funciona una vez, durante 30 minutos.',
    changed: 'Algo cambió mientras escribías',
    changedAdvice: 'Revisa los datos y envíalos de nuevo.',
  },
  known: {
    title: 'Este correo ya tiene cuenta',
    lead: 'Escribe su contraseña y pasará a ser propietaria de Portaria.',
    password: 'Contraseña de la cuenta',
    submit: 'Entrar como propietario',
    noPassword: '¿No sabes la contraseña o entras de otra forma? En una terminal del servidor:',
    other: '¿Prefieres otra cuenta?',
    otherEmail: 'Usar otro correo',
  },
  gone: {
    title: 'Esta dirección ya no es válida',
    lead: 'Funciona una vez, durante 30 minutos, y solo mientras Portaria no tiene propietario. Una nueva anula la anterior.',
    another: 'Para crear otra, en una terminal del servidor:',
    already: '¿Ya tienes la cuenta propietaria?',
    signIn: 'Entrar en la consola',
  },
  authenticated: {
    title: 'Confirmado',
    lead: 'Puedes cerrar esta ventana y seguir en la consola, donde estabas.',
    open: 'Abrir la consola aquí',
  },
}

export const setupTexts = { 'pt-BR': ptBR, en, es } as const satisfies Record<Language, typeof ptBR>
