import { defineTexts } from '../i18n/use-texts.ts'

export const homeTexts = defineTexts({
  'pt-BR': {
    title: 'Início',
    greeting: (name: string) => `Olá, ${name}`,
    loading: 'Carregando',
    alerts: 'Precisa de atenção',
    figures: 'Números do mês',
    month: 'Mês',
    monthBefore: 'Mês anterior',
    monthAfter: 'Mês seguinte',
    zone: 'Fuso horário',
    setZone: 'Mudar o fuso horário',
    setZoneExplains:
      'Um dia começa à meia-noite deste fuso horário, no console, na API e na linha de comando. As assinaturas e o dinheiro são contados de novo; as contagens dos dias que já passaram ficam.',
    welcome: 'Tudo pronto para o primeiro produto',
    welcomeText: 'Um produto é um app em que as pessoas entram com a Portaria. O assistente termina com as linhas para colar nele.',
    welcomeAsk: 'Peça a um proprietário que crie o primeiro produto: o app em que as pessoas entram com a Portaria.',
    createProduct: 'Criar o primeiro produto',
  },
  en: {
    title: 'Home',
    greeting: (name: string) => `Hello, ${name}`,
    loading: 'Loading',
    alerts: 'Needs attention',
    figures: 'Figures of the month',
    month: 'Month',
    monthBefore: 'Previous month',
    monthAfter: 'Next month',
    zone: 'Time zone',
    setZone: 'Change the time zone',
    setZoneExplains:
      'A day begins at midnight in this time zone, in the console, the API and on the command line. Subscriptions and money are recounted; the counts of past days stay as they are.',
    welcome: 'All set for the first product',
    welcomeText: 'A product is an app that users sign in to with Portaria. The wizard ends with the code to paste into it.',
    welcomeAsk: 'Ask an owner to create the first product: the app that users sign in to with Portaria.',
    createProduct: 'Create your first product',
  },
  es: {
    title: 'Inicio',
    greeting: (name: string) => `Hola, ${name}`,
    loading: 'Cargando',
    alerts: 'Requiere atención',
    figures: 'Cifras del mes',
    month: 'Mes',
    monthBefore: 'Mes anterior',
    monthAfter: 'Mes siguiente',
    zone: 'Zona horaria',
    setZone: 'Cambiar la zona horaria',
    setZoneExplains:
      'Un día empieza a la medianoche de esta zona horaria, en la consola, la API y la línea de comandos. Las suscripciones y el dinero se cuentan de nuevo; los recuentos de los días que ya pasaron no cambian.',
    welcome: 'Todo listo para el primer producto',
    welcomeText:
      'Un producto es una app en la que las personas entran con Portaria. El asistente termina con las líneas para pegar en ella.',
    welcomeAsk: 'Pide a un propietario que cree el primer producto: la app en la que las personas entran con Portaria.',
    createProduct: 'Crear el primer producto',
  },
})
