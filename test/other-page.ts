/** A page for everyone that tests open when any other page would do. */
export const otherPage = {
  path: "/height-calculator",
  link: "Größenrechner",
  heading: "Der Fabulöse Größenrechner",
} as const;
