// Labels have a colour and a shape, so that colour does not carry meaning alone.

const SHAPES: ((r: number) => string)[] = [
  (r) => `M0 ${-r}A${r} ${r} 0 1 1 0 ${r}A${r} ${r} 0 1 1 0 ${-r}Z`,
  (r) => `M${-r * 0.88} ${-r * 0.88}H${r * 0.88}V${r * 0.88}H${-r * 0.88}Z`,
  (r) => `M0 ${-r * 1.2}L${r * 1.1} ${r * 0.8}H${-r * 1.1}Z`,
  (r) => `M0 ${-r * 1.25}L${r * 1.25} 0L0 ${r * 1.25}L${-r * 1.25} 0Z`,
  (r) => `M0 ${r * 1.2}L${r * 1.1} ${-r * 0.8}H${-r * 1.1}Z`,
  (r) =>
    `M${-r * 0.4} ${-r * 1.1}H${r * 0.4}V${-r * 0.4}H${r * 1.1}V${r * 0.4}H${r * 0.4}V${r * 1.1}H${-r * 0.4}V${r * 0.4}H${-r * 1.1}V${-r * 0.4}H${-r * 0.4}Z`,
];

/** The outline of a label's mark around 0, 0. Without a label, a circle. */
export function shape(label: number, radius: number): string {
  return SHAPES[Math.max(0, label) % SHAPES.length]!(radius);
}
