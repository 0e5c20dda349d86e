"""Muon for matrices; everything else goes to AdamW."""

import math

import torch

COEFFICIENTS = 3.4445, -4.7750, 2.0315


def orthogonalised(matrices):
    """Nearly the closest orthogonal matrices, by five Newton-Schulz steps."""
    a, b, c = COEFFICIENTS
    x = matrices / (matrices.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x


class Muon(torch.optim.Optimizer):
    """Momentum whose matrix is made orthogonal; matrices of one shape are worked on together."""

    def __init__(self, parameters, lr, momentum=0.95, weight_decay=0.01):
        super().__init__(parameters, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            shapes = {}
            for parameter in group["params"]:
                if parameter.grad is not None:
                    shapes.setdefault(parameter.shape, []).append(parameter)
            for parameters in shapes.values():
                self._step(parameters, group)

    def _step(self, parameters, group):
        updates = []
        for parameter in parameters:
            state = self.state[parameter]
            momentum = state.setdefault("momentum", torch.zeros_like(parameter))
            momentum.mul_(group["momentum"]).add_(parameter.grad)
            updates.append(parameter.grad + group["momentum"] * momentum)
        stacked = torch.stack(updates)
        tall = stacked.shape[-2] > stacked.shape[-1]
        stacked = orthogonalised(stacked.mT).mT if tall else orthogonalised(stacked)
        scale = 0.2 * math.sqrt(max(stacked.shape[-2:]))
        for parameter, update in zip(parameters, stacked):
            parameter.mul_(1 - group["lr"] * group["weight_decay"]).add_(update, alpha=-group["lr"] * scale)
